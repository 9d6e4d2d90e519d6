"""Who came, in the order of their first visit."""


class Audience:
    """A visitor is a signed-in user, or else the address the request came from."""

    def __init__(self):
        self.people = []
        self.known = set()
        self.returning = 0

    def note(self, host, user):
        person = ("user", user) if user != "-" else ("host", host)
        if person in self.known:
            self.returning += 1
        else:
            self.known.add(person)
            self.people.append(person)

    def size(self):
        return len(self.people)

    def first(self):
        return self.people[0][1] if self.people else None
