// The one time of the page: whoever shows something listens, whoever changes it tells everyone.

const NICE = [1, 2, 5];
const COMFORTABLE = 8; // seconds that a run should take to watch

/** The nearest 1, 2 or 5 times a power of ten. */
export function nice(value) {
  const decade = 10 ** Math.floor(Math.log10(value));
  const found = [...NICE, 10].map((n) => n * decade);
  return found.reduce((best, n) => (Math.abs(Math.log(n / value)) < Math.abs(Math.log(best / value)) ? n : best));
}

export class Clock {
  constructor(begin, end) {
    this.begin = begin;
    this.end = end;
    this.time = begin;
    this.playing = false;
    this.loops = true;
    this.listeners = new Set();
    const span = end - begin;
    this.speed = span >= 2 && span <= 20 ? 1 : span > 0 ? nice(span / COMFORTABLE) : 1;
    this.usualSpeed = this.speed;
  }

  /** Speeds to choose from: simulated seconds in a second. */
  speeds() {
    const found = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10].map((f) => nice(this.usualSpeed * f));
    return [...new Set([...found, 1])].sort((a, b) => a - b);
  }

  listen(heard) {
    this.listeners.add(heard);
  }

  tell() {
    for (const heard of this.listeners) heard(this);
  }

  goTo(time) {
    this.time = Math.min(Math.max(time, this.begin), this.end);
    this.tell();
  }

  setSpeed(speed) {
    this.speed = speed;
    this.tell();
  }

  play(wanted = !this.playing) {
    if (wanted === this.playing) return;
    this.playing = wanted;
    if (wanted && this.time >= this.end) this.time = this.begin;
    if (wanted) {
      this.last = performance.now();
      requestAnimationFrame((now) => this.advance(now));
    }
    this.tell();
  }

  advance(now) {
    if (!this.playing) return;
    const elapsed = Math.min(Math.max(now - this.last, 0) / 1000, 0.25); // a page in the background does not leap
    this.last = now;
    const next = this.time + elapsed * this.speed;
    if (next < this.end) this.time = next;
    else if (this.loops) this.time = this.begin;
    else {
      this.time = this.end;
      this.playing = false;
    }
    this.tell();
    requestAnimationFrame((then) => this.advance(then));
  }
}

/** Index of the last of rising numbers that is not above `value`, and the part of the way to the next. */
export function locate(numbers, value) {
  let low = 0;
  let high = numbers.length - 1;
  if (value >= numbers[high]) return { frame: high, part: 0 };
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= value) low = middle;
    else high = middle;
  }
  const span = numbers[high] - numbers[low];
  return { frame: low, part: span > 0 ? Math.max((value - numbers[low]) / span, 0) : 0 };
}
