"""Runs a command and turns whatever goes wrong into one sentence and an exit status."""

from __future__ import annotations

import logging
import sys
import traceback
from argparse import Namespace
from collections.abc import Callable

from chat_archive.cli import letting_go, reading, responses, trash, writing
from chat_archive.cli.opening import CannotOpenError, Opener
from chat_archive.cli.output import complain, prepare_streams, silence_stdout
from chat_archive.core.errors import ArchiveError, BusyError, Cancelled, ReadOnlyError

_COMMANDS: dict[str, Callable[[Namespace, Opener], int]] = {
    "list": reading.list_chats,
    "show": reading.show,
    "check": reading.check,
    "export": writing.export,
    "import": writing.bring_in,
    "rename": writing.rename,
    "delete": letting_go.delete,
    "tidy": letting_go.tidy,
    "undo": letting_go.undo,
    "trash": trash.trash,
    "convert": writing.convert,
    "provider": responses.provider,
}
_ONLY_READ = ("list", "show", "check")


def run(arguments: Namespace) -> int:
    """Run one command other than `gui`. Returns the exit status; never raises and never shows a traceback unless
    --debug asks for it."""
    prepare_streams()
    logging.basicConfig(
        level=logging.DEBUG if arguments.debug else logging.CRITICAL, format="%(levelname)s %(message)s"
    )
    try:
        with Opener() as opener:
            status = _COMMANDS[arguments.command](arguments, opener)
        sys.stdout.flush()
    except BrokenPipeError:
        # nobody reads the list any more; of a change, nobody knows how it ended
        silence_stdout()
        return 0 if arguments.command in _ONLY_READ else 1
    except (CannotOpenError, ReadOnlyError, BusyError) as error:
        complain(str(error))
        return 3
    except ArchiveError as error:
        complain(str(error))
        return 1
    except Cancelled:
        complain("Stopped. Nothing more was changed.")
        return 1
    except KeyboardInterrupt:
        complain("Stopped.")
        return 130
    except OSError as error:
        if error.filename is not None:
            _report_fault(error, arguments.debug)
        else:
            complain(f"The output could not be written: {error.strerror}.")
        silence_stdout()
        return 1
    except RecursionError:
        complain("A value of this chat is nested too deeply to be printed. Export the chat to get its bytes.")
        return 1
    except Exception as error:
        _report_fault(error, arguments.debug)
        return 1
    return status


def _report_fault(error: Exception, debug: bool) -> None:
    """A fault of this program. What an exception says may hold text of a chat, so only its kind is named."""
    if debug:
        traceback.print_exc()
        return
    kind = type(error).__name__
    complain(f"Something went wrong inside this program ({kind}). Run the command again with --debug for the place.")
