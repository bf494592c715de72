"""The root of every error that a person reads: one sentence that says what to do next."""


class CompanionError(Exception):
    """An error whose text is one sentence for a player or an operator.

    ``template`` is the English sentence with ``{named}`` places; it is also the key under which a
    translation is looked up. ``params`` fill the places. ``str(error)`` is the English sentence.
    """

    def __init__(self, template: str, **params: object) -> None:
        super().__init__(template.format(**params))
        self.template = template
        self.params = params
