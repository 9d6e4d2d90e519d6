"""Keeps the readings of sensors in a database and reports their mean."""
import os
import sys
import tempfile

from peewee import AutoField, CharField, FloatField, Model, SqliteDatabase, fn

database = SqliteDatabase(None)


class Reading(Model):
    id = AutoField()
    sensor = CharField(index=True)
    value = FloatField()

    class Meta:
        database = database


def readings(count):
    for number in range(count):
        yield {"sensor": f"s{number % 12}", "value": number % 97 / 4}


def keep(count):
    with database.atomic():
        for reading in readings(count):
            Reading.create(**reading)


with tempfile.TemporaryDirectory() as folder:
    database.init(os.path.join(folder, "readings.db"))
    database.create_tables([Reading])
    keep(int(sys.argv[1]))
    print(Reading.select().count(), round(Reading.select(fn.AVG(Reading.value)).scalar(), 3))
    database.close()
