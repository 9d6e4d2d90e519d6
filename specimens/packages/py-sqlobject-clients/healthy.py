"""Prints how many ways there are to reach the clients of a firm."""
import os
import shutil
import sys
import tempfile

from sqlobject import ForeignKey, MultipleJoin, SQLObject, StringCol, connectionForURI, sqlhub


class Client(SQLObject):
    name = StringCol()
    contacts = MultipleJoin("Contact")


class Contact(SQLObject):
    client = ForeignKey("Client")
    phone = StringCol()


def fill(count):
    Client.createTable()
    Contact.createTable()
    numbers = f"WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count})"
    sqlhub.processConnection.query(f"INSERT INTO client (id, name) {numbers} SELECT i, 'Client ' || i FROM n")
    sqlhub.processConnection.query(f"INSERT INTO contact (client_id, phone) {numbers} SELECT i, '0' || i FROM n WHERE i % 2")
    sqlhub.processConnection.query("CREATE INDEX by_client ON contact (client_id)")


def reachable():
    ways = 0
    contacts = {}
    for contact in Contact.select():
        contacts.setdefault(contact.clientID, []).append(contact)
    for client in Client.select():
        for contact in contacts.get(client.id, []):
            ways += len(contact.phone) > 2
    return ways


folder = tempfile.mkdtemp(prefix="clients-")
try:
    sqlhub.processConnection = connectionForURI("sqlite://" + os.path.join(folder, "firm.sqlite"))
    fill(int(sys.argv[1]))
    print(reachable())
finally:
    shutil.rmtree(folder)
