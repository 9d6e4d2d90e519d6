/* Listens to the pipes of an organ, a short piece of sound at a time, and says which note is heard how often. */
#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 256, NOTES = LENGTH / 2 };

static void record(double *sound, int piece) {
    int note = 5 + piece * 7 % 90;
    for (int at = 0; at < LENGTH; at++)
        sound[at] = (at * note % LENGTH < NOTES ? 1.0 : -1.0) + (at * 31 + piece) % 17 / 40.0;
}

static void spectrum(double *sound, fftw_complex *parts) {
    static fftw_plan plan;
    if (plan == NULL) {
        double kept[LENGTH];
        memcpy(kept, sound, sizeof kept);
        plan = fftw_plan_dft_r2c_1d(LENGTH, sound, parts, FFTW_MEASURE);
        memcpy(sound, kept, sizeof kept);
    }
    fftw_execute(plan);
}

static int loudest(fftw_complex *parts) {
    int best = 1;
    for (int at = 2; at <= NOTES; at++)
        if (hypot(parts[at][0], parts[at][1]) > 1.001 * hypot(parts[best][0], parts[best][1]))
            best = at;
    return best;
}

int main(int argc, char **argv) {
    int pieces = argc > 1 ? atoi(argv[1]) : 1000, heard[NOTES + 1] = {0}, most = 0;
    double *sound = fftw_alloc_real(LENGTH);
    fftw_complex *parts = fftw_alloc_complex(NOTES + 1);
    for (int piece = 0; piece < pieces; piece++) {
        record(sound, piece);
        spectrum(sound, parts);
        heard[loudest(parts)]++;
    }
    for (int note = 1; note <= NOTES; note++)
        most = heard[note] > heard[most] ? note : most;
    printf("%d pieces, note %d heard %d times, note 40 %d times\n", pieces, most, heard[most], heard[40]);
    fftw_free(sound);
    fftw_free(parts);
    return 0;
}
