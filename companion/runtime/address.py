"""Under which addresses the other devices of the home network find this machine."""

import ipaddress
import socket

import psutil

LOOPBACK = "127.0.0.1"


def lan_addresses() -> list[str]:
    """Return this machine's IPv4 addresses on networks that are up, private ones first; no packet is sent.

    Container and virtual-machine bridges come last: a phone on the home network does not reach them.
    """
    running = {name for name, stats in psutil.net_if_stats().items() if stats.isup}
    found = []
    for name, addresses in psutil.net_if_addrs().items():
        if name not in running:
            continue
        for address in addresses:
            if address.family == socket.AF_INET and not ipaddress.ip_address(address.address).is_loopback:
                found.append((_is_virtual(name), not ipaddress.ip_address(address.address).is_private, address.address))
    return [address for *_, address in sorted(found)]


def _is_virtual(interface: str) -> bool:
    return interface.startswith(("docker", "br-", "veth", "virbr", "vmnet", "tun", "tap", "wg"))


def join_host(listen_host: str) -> str:
    """Return the address to show in the QR code: the one listened on, or the best one of this machine."""
    if listen_host not in ("0.0.0.0", "::", ""):  # noqa: S104  compared, not bound
        return listen_host
    return next(iter(lan_addresses()), LOOPBACK)
