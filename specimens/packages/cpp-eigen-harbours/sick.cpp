// Fits the tides of a harbour to a few waves and says how high the water will stand.
#include <Eigen/Dense>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using Eigen::MatrixXd;
using Eigen::VectorXd;

static const int WAVES = 20;

static MatrixXd waves(int first, int hours)
{
    MatrixXd rows(hours, 2 * WAVES + 1);
    for (int hour = 0; hour < hours; hour++) {
        rows(hour, 0) = 1.0;
        for (int wave = 0; wave < WAVES; wave++) {
            double angle = (first + hour) * (0.08 + 0.021 * wave);
            rows(hour, 2 * wave + 1) = std::cos(angle);
            rows(hour, 2 * wave + 2) = std::sin(angle);
        }
    }
    return rows;
}

static VectorXd gauge(const MatrixXd &rows)
{
    VectorXd parts(rows.cols());
    for (int at = 0; at < parts.size(); at++) {
        parts(at) = 3.0 / (1 + at) - 0.4 * (at % 3);
    }
    return rows * parts;
}

static VectorXd fit(const MatrixXd &rows, const VectorXd &heights)
{
    MatrixXd normal = rows.transpose() * rows;
    VectorXd right = rows.transpose() * heights;
    return normal.ldlt().solve(right);
}

static double highest(const VectorXd &parts, int first)
{
    return (waves(first, 48) * parts).maxCoeff();
}

int main(int count, char **words)
{
    int months = count > 1 ? atoi(words[1]) : 4;
    double sum = 0;
    for (int month = 0; month < months; month++) {
        MatrixXd rows = waves(month * 720, 720);
        VectorXd parts = fit(rows, gauge(rows));
        sum += highest(parts, (month + 1) * 720);
    }
    printf("%d months, high water %.3f\n", months, sum / months);
    return 0;
}
