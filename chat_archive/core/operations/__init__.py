"""One verb a file: every change to an archive goes through here."""
