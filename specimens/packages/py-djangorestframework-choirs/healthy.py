"""Serves the programme of a choir festival: each concert with its evening, its choir and its hall."""
import sys

import django
from django.conf import settings

settings.configure(DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}, USE_TZ=False)
django.setup()

from django.db import connection, models
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer


class Choir(models.Model):
    name = models.CharField(max_length=60)

    class Meta:
        app_label = "festival"


class Concert(models.Model):
    evening = models.IntegerField()
    choir = models.ForeignKey(Choir, on_delete=models.CASCADE)
    hall = models.CharField(max_length=60)

    class Meta:
        app_label = "festival"


class ChoirSerializer(serializers.ModelSerializer):
    class Meta:
        model = Choir
        fields = ["id", "name"]


class ConcertSerializer(serializers.ModelSerializer):
    choir = ChoirSerializer()

    class Meta:
        model = Concert
        fields = ["evening", "choir", "hall"]


def fill(concerts):
    with connection.schema_editor() as editor:
        editor.create_model(Choir)
        editor.create_model(Concert)
    Choir.objects.bulk_create(Choir(name=f"choir {number}") for number in range(90))
    rows = (Concert(evening=number // 40, choir_id=1 + number * 7 % 90, hall=f"hall {number % 12}") for number in range(concerts))
    Concert.objects.bulk_create(rows)


def programme():
    concerts = Concert.objects.select_related("choir").order_by("evening", "id")
    return JSONRenderer().render(ConcertSerializer(concerts, many=True).data)


fill(int(sys.argv[1]))
print(len(programme()), "bytes of programme")
