"""Runs every block of code of a page against a running server, in the order of the page.

    python tests/clients/page.py docs/clients.md http://127.0.0.1:8080

All blocks run in one folder, so that a later one can use what an earlier one has left. A block of
Python whose first line names a file is kept under that name and run. `http://127.0.0.1:8080` in the
page stands for the server.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SERVER = "http://127.0.0.1:8080"


def main(page, base):
    text = Path(page).read_text(encoding="utf-8")
    blocks = BLOCK.findall(text)
    if not blocks:
        sys.exit(f"{page} has no code")
    with tempfile.TemporaryDirectory() as folder:
        for language, code in blocks:
            line = text[: text.index(code)].count("\n") + 1
            code = code.replace(SERVER, base).replace(SERVER.replace("http", "ws"), base.replace("http", "ws"))
            if language == "sh":
                command = ["bash", "-euo", "pipefail", "-c", code]
            elif language == "python":
                name = re.match(r"# (\w+\.py)\n", code)
                file = Path(folder) / (name.group(1) if name else "block.py")
                file.write_text(code, encoding="utf-8")
                command = [sys.executable, str(file)]
            else:
                sys.exit(f"{page}:{line}: a block of {language or 'no language'} is run by nothing")
            environment = dict(os.environ, PYTHONPATH=folder)
            done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
            if done.returncode:
                sys.exit(f"{page}:{line}: the block fails\n{code}\n{done.stdout}{done.stderr}")
    print(f"{page}: {len(blocks)} blocks run")


if __name__ == "__main__":
    main(*sys.argv[1:])
