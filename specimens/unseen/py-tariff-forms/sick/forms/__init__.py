"""Customs forms: one layout for each heading of the tariff."""
