// Compares the days of a vineyard: thousands of probes in the soil tell their temperature every few minutes.
#define ARMA_DONT_USE_WRAPPER
#define ARMA_DONT_USE_LAPACK
#define ARMA_DONT_USE_BLAS
#include <armadillo>
#include <cstdlib>
#include <iostream>

static float reading(arma::uword probe, arma::uword moment)
{
    const unsigned wave = (unsigned)(probe * 7919 + moment) * 2654435761u;
    return 8.0f + ((wave ^ wave >> 15) * 2246822519u >> 20) / 512.0f;
}

static arma::fmat measure(arma::uword probes, arma::uword moments)
{
    arma::fmat soil(probes, moments);
    for (arma::uword moment = 0; moment < moments; moment++)
        for (arma::uword probe = 0; probe < probes; probe++)
            soil(probe, moment) = reading(probe, moment);
    return soil;
}

static arma::fvec warmth(const arma::fmat &soil)
{
    arma::fvec mean(soil.n_rows);
    for (arma::uword probe = 0; probe < soil.n_rows; probe++)
        mean(probe) = arma::accu(soil.row(probe)) / soil.n_cols;
    return mean;
}

static arma::uvec frosts(const arma::fmat &soil, float limit)
{
    arma::uvec count(soil.n_rows, arma::fill::zeros);
    for (arma::uword probe = 0; probe < soil.n_rows; probe++)
        for (arma::uword moment = 0; moment < soil.n_cols; moment++)
            count(probe) += soil(probe, moment) < limit;
    return count;
}

int main(int argc, char **argv)
{
    const arma::uword probes = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 6000;
    const arma::fmat soil = measure(probes, 6000);
    const arma::fvec mean = warmth(soil);
    const arma::uvec cold = frosts(soil, 8.25f), warm = frosts(soil, 15.5f);
    std::cout << probes << " probes, coldest " << mean.index_min() << ", frosts " << arma::accu(cold) << " and " << arma::accu(warm) << '\n';
}
