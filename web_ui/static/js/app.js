// Entry of every screen; parts are plain ES modules beside this file.
