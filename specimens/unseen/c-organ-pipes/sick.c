// Mixes the voices of an organ into one track.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 2048, VOICES = 24 };

typedef struct {
    float level;
    float left, right;
    float warmth;
} Gain;

typedef struct {
    float *samples;
    size_t length;
    Gain gain;
    size_t at;
} Voice;

typedef struct {
    float *left, *right;
    size_t length;
    Gain master;
} Track;

static void make_voice(Voice *voice, int number, size_t length)
{
    voice->samples = malloc(length * sizeof *voice->samples);
    voice->length = length;
    double pitch = 0.01 * (number + 2);
    double sine = sin(pitch), cosine = cos(pitch), x = 1, y = 0;
    for (size_t i = 0; i < length; i++) {
        double turned = x * cosine - y * sine;
        y = x * sine + y * cosine;
        x = turned;
        voice->samples[i] = (float)y;
    }
    voice->gain = (Gain){0.5f + 0.01f * (float)number, 0.3f, 0.7f, 0.05f * (float)(number % 4)};
    voice->at = 0;
}

static void make_track(Track *track, size_t length)
{
    track->left = calloc(length, sizeof(float));
    track->right = calloc(length, sizeof(float));
    track->length = length;
    track->master = (Gain){0.8f, 1.0f, 1.0f, 0.125f};
}

// Adds one block of a voice to both sides; the voice goes round.
static void mix(float *restrict left, float *restrict right, const Voice *voice, const Gain *master)
{
    const Gain gain = voice->gain;
    const float *samples = voice->samples;
    const size_t mask = voice->length - 1, at = voice->at;
    const float level = gain.level * master->level, warmth = gain.warmth * master->warmth;
    for (size_t i = 0; i < BLOCK; i++) {
        float in = samples[(at + i) & mask];
        float warm = in * in * warmth;
        left[i] += in * level * gain.left + warm;
        right[i] += in * level * gain.right + warm;
    }
}

static void play(Track *track, Voice *voices, int count)
{
    for (size_t start = 0; start + BLOCK <= track->length; start += BLOCK) {
        for (int v = 0; v < count; v++) {
            mix(track->left + start, track->right + start, &voices[v], &track->master);
            voices[v].at = (voices[v].at + BLOCK) & (voices[v].length - 1);
        }
    }
}

static void soften(Track *track)
{
    float before = 0;
    for (size_t i = 0; i < track->length; i++) {
        before = before * 0.25f + track->left[i] * 0.75f;
        track->left[i] = before;
    }
}

static float loudest(const Track *track)
{
    float peak = 0;
    for (size_t i = 0; i < track->length; i++) {
        float sum = fabsf(track->left[i]) + fabsf(track->right[i]);
        peak = sum > peak ? sum : peak;
    }
    return peak;
}

int main(int argc, char **argv)
{
    int bars = argc > 1 ? atoi(argv[1]) : 2;
    Voice voices[VOICES];
    Track track;
    for (int v = 0; v < VOICES; v++)
        make_voice(&voices[v], v, (size_t)4096 << v % 3);
    make_track(&track, 65536);
    double peaks = 0;
    for (int bar = 0; bar < bars; bar++) {
        memset(track.left, 0, track.length * sizeof(float));
        memset(track.right, 0, track.length * sizeof(float));
        play(&track, voices, VOICES);
        soften(&track);
        peaks += loudest(&track);
    }
    printf("peaks %.1f\n", peaks);
    for (int v = 0; v < VOICES; v++)
        free(voices[v].samples);
    free(track.left);
    free(track.right);
    return 0;
}
