// Denoises a camera's frames: exposure, a light blur over rows, and the difference to the frame before.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

struct Size {
    int width;
    int height;
    std::size_t pixels() const { return static_cast<std::size_t>(width) * height; }
};

// A frame as the sensor gives it: eight bits for each pixel.
struct Frame {
    Size size;
    std::vector<std::uint8_t> luma;
    explicit Frame(Size s) : size(s), luma(s.pixels()) {}
};

class Camera {
public:
    explicit Camera(Size size) : pattern_(size) {
        std::uint32_t state = 1;
        for (auto &pixel : pattern_.luma) {
            state = state * 1664525u + 1013904223u;
            pixel = static_cast<std::uint8_t>(60 + (state >> 25));
        }
    }

    // The scene moves by a few rows with each frame.
    void shoot(int number, Frame &into) const {
        const int width = pattern_.size.width;
        const int shift = number * 3 % pattern_.size.height;
        const auto cut = pattern_.luma.begin() + static_cast<std::ptrdiff_t>(shift) * width;
        std::rotate_copy(pattern_.luma.begin(), cut, pattern_.luma.end(), into.luma.begin());
    }

private:
    Frame pattern_;
};

// One plane of working values.
class Plane {
public:
    explicit Plane(Size size) : size_(size), values_(new float[size.pixels()]) {}
    float *row(int y) { return values_.get() + static_cast<std::size_t>(y) * size_.width; }
    const float *row(int y) const { return values_.get() + static_cast<std::size_t>(y) * size_.width; }

private:
    Size size_;
    std::unique_ptr<float[]> values_;
};

class Denoiser {
public:
    explicit Denoiser(Size size) : size_(size), before_(size), light_(size), smooth_(size) {}

    double step(const Frame &frame) {
        expose(frame, light_);
        blur(light_, smooth_);
        return compare(smooth_);
    }

private:
    void expose(const Frame &frame, Plane &light) const {
        for (int y = 0; y < size_.height; ++y) {
            const std::uint8_t *in = frame.luma.data() + static_cast<std::size_t>(y) * size_.width;
            float *out = light.row(y);
            for (int x = 0; x < size_.width; ++x)
                out[x] = static_cast<float>(in[x]) * 1.25f - 16.0f;
        }
    }

    void blur(const Plane &light, Plane &smooth) const {
        for (int y = 0; y < size_.height; ++y) {
            const float *up = light.row(std::max(y - 1, 0));
            const float *here = light.row(y);
            const float *down = light.row(std::min(y + 1, size_.height - 1));
            float *out = smooth.row(y);
            for (int x = 0; x < size_.width; ++x)
                out[x] = 0.25f * up[x] + 0.5f * here[x] + 0.25f * down[x];
        }
    }

    // How much the picture changed; the smoothed picture is kept at a quarter of its rows.
    double compare(const Plane &smooth) {
        double change = 0;
        for (int y = 0; y < size_.height; y += 4) {
            const float *now = smooth.row(y);
            std::uint8_t *old = before_.luma.data() + static_cast<std::size_t>(y) * size_.width;
            std::int64_t row = 0;
            for (int x = 0; x < size_.width; ++x) {
                const int value = static_cast<int>(now[x]);
                row += std::abs(value - static_cast<int>(old[x]));
                old[x] = static_cast<std::uint8_t>(value);
            }
            change += static_cast<double>(row) / size_.width;
        }
        return change * 4 / size_.height;
    }

    Size size_;
    Frame before_;
    Plane light_;
    Plane smooth_;
};

struct Summary {
    int frames = 0;
    int quiet = 0;
    double most = 0;
    double sum = 0;

    void add(double change) {
        ++frames;
        quiet += change < 20.0;
        most = std::max(most, change);
        sum += change;
    }
};

int main(int argc, char **argv) {
    const int frames = argc > 1 ? std::atoi(argv[1]) : 34;
    const Size size{argc > 2 ? std::atoi(argv[2]) : 4096, argc > 3 ? std::atoi(argv[3]) : 2304};
    const Camera camera(size);
    Frame frame(size);
    Denoiser denoiser(size);
    Summary summary;
    for (int number = 0; number < frames; ++number) {
        camera.shoot(number, frame);
        summary.add(denoiser.step(frame));
    }
    std::printf("frames %d quiet %d most %.4f mean %.4f\n", summary.frames, summary.quiet, summary.most,
                summary.sum / summary.frames);
    return 0;
}
