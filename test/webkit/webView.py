"""An app with a web view, which WebKit's driver starts: webView.py WINDOWS [USER_AGENT]

WINDOWS is what the app does when its page opens a window: it may "ignore" that, "replace" the page with the address of
the window, or "open" a second web view on top.
"""

import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402

windows = sys.argv[1]
user_agent = sys.argv[2] if len(sys.argv) > 2 else None

# Shows one view at a time, as a phone does, so the page below learns that it is hidden.
screen = Gtk.Stack()


def show(view):
    view.connect("create", open_window)
    view.connect("close", close)
    view.show()
    screen.add(view)
    screen.set_visible_child(view)


def open_window(view, action):
    if windows == "replace":
        view.load_request(action.get_request())
    if windows != "open":
        return None
    opened = WebKit2.WebView.new_with_related_view(view)
    show(opened)
    return opened


def close(view):
    screen.remove(view)
    view.destroy()


context = WebKit2.WebContext.new_ephemeral()
context.set_automation_allowed(True)
first = WebKit2.WebView(web_context=context, is_controlled_by_automation=True)
if user_agent:
    first.get_settings().set_user_agent(user_agent)
context.connect(
    "automation-started",
    lambda _, session: session.connect("create-web-view", lambda _: first),
)
show(first)
window = Gtk.Window(default_width=420, default_height=800)
window.add(screen)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
