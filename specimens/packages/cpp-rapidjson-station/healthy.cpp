// Keeps the state of a weather station as JSON; each radar picture replaces the one before.
#include <cstdio>
#include <cstdlib>
#include <rapidjson/document.h>
#include <string>

using State = rapidjson::GenericDocument<rapidjson::UTF8<>, rapidjson::CrtAllocator>;

static const char *const radars[] = {"north", "east", "south", "west"};

static std::string picture()
{
    std::string text;
    for (int line = 0; line < 64; line++) {
        text += "....,,,,::::oooo@@@@oooo::::,,,,....";
    }
    return text;
}

static void update(State &state, const char *radar, std::string &picture, int number)
{
    picture[number % picture.size()] = static_cast<char>('A' + number % 26);
    auto length = static_cast<rapidjson::SizeType>(picture.size());
    state[radar].SetString(picture.c_str(), length, state.GetAllocator());
}

static size_t watch(int pictures)
{
    State state;
    state.SetObject();
    for (const char *radar : radars) {
        state.AddMember(rapidjson::StringRef(radar), "nothing yet", state.GetAllocator());
    }
    std::string latest = picture();
    for (int number = 0; number < pictures; number++) {
        update(state, radars[number % 4], latest, number);
    }
    size_t letters = 0;
    for (const char *radar : radars) {
        letters += state[radar].GetStringLength();
    }
    return letters;
}

int main(int count, char **words)
{
    int pictures = count > 1 ? atoi(words[1]) : 1000;
    printf("%d pictures, %zu letters\n", pictures, watch(pictures));
    return 0;
}
