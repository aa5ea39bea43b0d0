"""A tunnel's helper for tests: tells where it is as ssh does, and relays TLS connections to the port that it is given.

Like the services behind real helpers, it appends the address of each client to X-Forwarded-For.
"""

import asyncio
import os
import ssl
import sys


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    writer.close()


async def _relay(port: int, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
    """Relay one request or WebSocket."""
    address = to_client.get_extra_info("peername")[0]
    try:
        head = await client.readuntil(b"\r\n\r\n")
        server, to_server = await asyncio.open_connection("127.0.0.1", port)
    except (OSError, asyncio.IncompleteReadError):
        to_client.close()
        return
    lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    if not any(line.lower().startswith(b"upgrade:") for line in lines):
        lines = [line for line in lines if not line.lower().startswith(b"connection:")] + [b"Connection: close"]
    earlier = [line.partition(b":")[2].strip() for line in lines if line.lower().startswith(b"x-forwarded-for:")]
    lines = [line for line in lines if not line.lower().startswith(b"x-forwarded-for:")]
    lines.append(b"X-Forwarded-For: " + b", ".join([*earlier, address.encode()]))
    to_server.write(b"\r\n".join(lines) + b"\r\n\r\n")
    await asyncio.gather(_copy(client, to_server), _copy(server, to_client))


async def main(to: str) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.environ["RELAY_CERTIFICATE"])
    port = int(to.rpartition(":")[2])

    async def serve(client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        await _relay(port, client, to_client)

    here = await asyncio.start_server(serve, "127.0.0.1", int(os.environ.get("RELAY_PORT", "0")), ssl=context)
    where = here.sockets[0].getsockname()
    print("Welcome to the relay. Its terms: https://example.org/terms", flush=True)
    print(f"{where[0]} is tunnelled, https://{where[0]}:{where[1]}", flush=True)
    await here.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[sys.argv.index("-R") + 1]))
