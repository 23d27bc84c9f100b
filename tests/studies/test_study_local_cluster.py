"""`--cluster local`: processes that run whatever they are sent listen to nobody but the study that started them."""

import os
import socket
import sys
from contextlib import suppress
from pathlib import Path

import pytest

import tapespring as ts
from tapespring.results.extras import MissingExtraError
from tapespring.studies.cluster import local_cluster

distributed = pytest.importorskip("distributed")


def listening(processes) -> set[tuple[str, int]]:
    """(address as /proc writes it, port) of everything that these processes listen at."""
    own = set()
    for process in processes:
        for descriptor in Path(f"/proc/{process}/fd").iterdir():
            with suppress(OSError):
                own.add(os.readlink(descriptor))
    rows = [line.split() for kind in ("tcp", "tcp6") for line in Path(f"/proc/net/{kind}").read_text().splitlines()[1:]]
    places = [row[1].split(":") for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in own]
    return {(address, int(port, 16)) for address, port in places}


def answer(port: int) -> bytes:
    """What somebody without a key is told."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
        line.sendall(b"GET /info/main/workers.html HTTP/1.0\r\n\r\n")
        with suppress(OSError):
            return line.recv(1000)
    return b""


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="looks for sockets in /proc")
def test_a_cluster_of_its_own_answers_nobody_else(folder):
    pytest.importorskip("cryptography")
    with local_cluster(distributed, 1) as cluster, distributed.Client(cluster, set_as_default=False) as client:
        assert cluster.scheduler_address.startswith("tls://127.0.0.1:")
        assert ts.study("study.yaml", cluster=client).complete
        places = listening([os.getpid(), *client.run(os.getpid).values(), *client.run(os.getppid).values()])
        assert len(places) >= 3
        assert {address for address, _ in places} == {"0100007F"}
        answers = [answer(port) for _, port in places]
        assert any(told.startswith(b"HTTP/1.1 404") for told in answers)
        assert not any(b"200 OK" in told for told in answers)
        with pytest.raises(OSError, match=r".*"):  # a stranger
            distributed.Client(cluster.scheduler_address.replace("tls", "tcp"), timeout=2, set_as_default=False)


def test_without_keys_there_is_no_cluster(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "cryptography", None)
    with pytest.raises(MissingExtraError, match="cluster"):
        ts.study("study.yaml", cluster="local")
