"""Starts `relay` as the helper of a server, under the name of ssh."""

import contextlib
import datetime
import ipaddress
import os
import sys
from pathlib import Path

import psutil
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from fortythieves_server.process.tunnel_helpers import Choice
from tests import relay

RELAY = Choice.parse("ssh:test@relay")


def certificate(folder: Path) -> Path:
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.datetime.now(datetime.UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "relay")])
    names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + datetime.timedelta(days=1))
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "relay.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(private + signed.public_bytes(serialization.Encoding.PEM))
    return file


def environment(folder: Path) -> dict[str, str]:
    """The environment in which the relay is found as ssh, and its certificate is believed."""
    script = folder / "ssh"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} {relay.__file__} "$@"\n')
    script.chmod(0o700)
    file = str(certificate(folder))
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    return {"PATH": path, "RELAY_CERTIFICATE": file, "SSL_CERT_FILE": file}


def running_relays() -> list[psutil.Process]:
    """The helpers that this process, or a server that it started, has started."""
    found = []
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if process.cmdline()[1:2] == [relay.__file__]:
                found.append(process)
    return found


def port_of(process: psutil.Process) -> int:
    """The port to which a relay leads."""
    words = process.cmdline()
    return int(words[words.index("-R") + 1].rpartition(":")[2])
