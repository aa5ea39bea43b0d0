"""A client for Forty Thieves Race in Python, and what is built on it.

    from fortythieves_client.connection import Client

    async with Client("http://192.168.1.5:8040") as client:
        room = await client.create("Ann", game="lucas")
        await client.ready()
        race = await client.until(lambda: client.race)
        turned = await client.play("draw")

Read it upwards from `merge`: `room` and `race` are what a client sees, `connection` is how it comes to see it, and
`bot` is somebody who plays along.
"""
