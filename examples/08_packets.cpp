// Packets that were sent and not acknowledged yet, in a ring: the newest are kept, the oldest give way by themselves. Sequence numbers
// have 16 bits and wrap; acknowledgements come late, twice, or never.
// (S1.8: network packets.)
#include <lido/core.hpp>

#include <array>
#include <cstdint>
#include <cstdio>

namespace {

struct packet {
    std::uint16_t sequence;
    int bytes;
};

/// a is after b, also where the numbers wrap: the shorter way round counts.
constexpr bool after(std::uint16_t a, std::uint16_t b) {
    return static_cast<std::int16_t>(static_cast<std::uint16_t>(a - b)) > 0;
}

constexpr std::uint32_t window = 32;  // packets; what the bits of an acknowledgement reach back to

class channel {
public:
    void send(int bytes) {
        const auto made = sent_.acquire(next_, bytes);  // never refused: the oldest ends
        handles_[next_ % window] = made.handle();
        ++next_;
    }

    /// `latest` and the 32 before it, one bit each.
    void acknowledge(std::uint16_t latest, std::uint32_t before) {
        one(latest);
        for (std::uint32_t i = 0; i < 32; ++i) {
            if ((before >> i & 1) != 0) one(static_cast<std::uint16_t>(latest - 1 - i));
        }
    }

    void report(const char* when) const {
        std::printf("%s: %u in flight", when, static_cast<unsigned>(sent_.size()));
        if (!sent_.empty()) std::printf(", %u to %u", sent_.oldest()->sequence, sent_.newest()->sequence);
        std::printf("; acknowledged %d, late or again %d, unknown %d\n", acknowledged_, late_, unknown_);
    }

    std::uint64_t lost() const { return sent_.stats().replaced; }

private:
    void one(std::uint16_t sequence) {
        if (!after(next_, sequence) || static_cast<std::uint16_t>(next_ - sequence) > window) {
            ++unknown_;  // never sent, or so long ago that the window has forgotten it
            return;
        }
        // The handle names that one packet. Once it was acknowledged, or has given way, it finds nothing.
        if (const packet* p = sent_.try_get(handles_[sequence % window]); p != nullptr && p->sequence == sequence) {
            sent_.release(*p);
            ++acknowledged_;
        } else {
            ++late_;
        }
    }

    lido::inline_ring_pool<packet, 8> sent_;
    std::array<lido::handle<packet>, window> handles_{};
    std::uint16_t next_ = 65530;
    int acknowledged_ = 0;
    int late_ = 0;
    int unknown_ = 0;
};

}  // namespace

int main() {
    static_assert(after(2, 65534) && !after(65534, 2) && after(5, 4) && !after(4, 4));
    channel c;
    for (int i = 0; i < 8; ++i) c.send(100 + i);
    c.report("8 sent");           // 65530 to 1: round the end of 16 bits
    c.acknowledge(65533, 0b101);  // itself, 65532 and 65530: a hole where 65531 is not
    c.report("some arrived");
    c.acknowledge(65533, 0b101);  // the same packet again
    c.report("a duplicate");
    for (int i = 0; i < 6; ++i) c.send(200);
    c.report("6 more sent");  // 65531 gave way
    c.acknowledge(65531, 0);
    c.report("too late for that one");
    c.acknowledge(9, 0);  // a number that was never used
    c.acknowledge(40000, 0);
    c.report("nonsense");
    c.acknowledge(7, 0xffffffff);
    c.report("all arrived");
    std::printf("gave way unacknowledged: %u\n", static_cast<unsigned>(c.lost()));
}

/* Output:
8 sent: 8 in flight, 65530 to 1; acknowledged 0, late or again 0, unknown 0
some arrived: 5 in flight, 65531 to 1; acknowledged 3, late or again 0, unknown 0
a duplicate: 5 in flight, 65531 to 1; acknowledged 3, late or again 3, unknown 0
6 more sent: 8 in flight, 0 to 7; acknowledged 3, late or again 3, unknown 0
too late for that one: 8 in flight, 0 to 7; acknowledged 3, late or again 4, unknown 0
nonsense: 8 in flight, 0 to 7; acknowledged 3, late or again 4, unknown 2
all arrived: 0 in flight; acknowledged 11, late or again 28, unknown 3
gave way unacknowledged: 3
*/
