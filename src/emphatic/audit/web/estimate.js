// How the review stands, as emphatic/audit/marks/review.py explains and computes it: the same figures and sentences.

const ENOUGH_MARKS = 20;
const PRIOR_DEVIATION = 1;
const WORTH_A_LOOK = 0.1;
const SMALLEST = 1e-6;
const TWO_SIDED_95 = 1.959963984540054;

const sigmoid = (x) => 1 / (1 + Math.exp(-x));
const logOdds = Float64Array.from(data.forecast ?? data.suspicion, (s) => {
  const clipped = Math.min(Math.max(s, SMALLEST), 1 - SMALLEST);
  return Math.log(clipped / (1 - clipped));
});

function estimateReview() {
  const [marked, wrong] = [marks.size, numberOf(WRONG)];
  const shift = fitShift();
  const review = { marked, wrong, unmarked: count - marked, shift, remaining: 0, next: 0 };
  let [own, precisionOfShift] = [0, PRIOR_DEVIATION ** -2];
  for (let i = 0; i < count; i += 1) {
    const s = sigmoid(logOdds[i] + shift);
    if (marks.has(i)) precisionOfShift += s * (1 - s);
    else {
      own += s * (1 - s);
      review.remaining += s;
      review.next = Math.max(review.next, s);
    }
  }
  const reach = TWO_SIDED_95 * Math.sqrt(own + own ** 2 / precisionOfShift);
  review.fewest = Math.max(0, review.remaining - reach);
  review.most = Math.min(review.unmarked, review.remaining + reach);
  review.precision = wrong / marked;
  [review.low, review.high] = wilson(wrong, marked);
  review.enough = review.unmarked === 0 || (marked >= ENOUGH_MARKS && review.next < WORTH_A_LOOK);
  return review;
}

// The slope of the log posterior falls: halve the interval in which it changes its sign.
function fitShift() {
  let [low, high] = [-marks.size * PRIOR_DEVIATION ** 2, marks.size * PRIOR_DEVIATION ** 2];
  for (let step = 0; step < 100; step += 1) {
    const shift = (low + high) / 2;
    let slope = -shift / PRIOR_DEVIATION ** 2;
    for (const [i, { mark }] of marks) slope += (mark === WRONG) - sigmoid(logOdds[i] + shift);
    if (slope > 0) low = shift;
    else high = shift;
  }
  return (low + high) / 2;
}

function wilson(wrong, marked) {
  const [z, share] = [TWO_SIDED_95 ** 2, wrong / marked];
  const centre = (share + z / (2 * marked)) / (1 + z / marked);
  const reach = (TWO_SIDED_95 / (1 + z / marked)) * Math.sqrt((share * (1 - share)) / marked + z / (4 * marked ** 2));
  return [Math.max(0, centre - reach), Math.min(1, centre + reach)];
}

const rounded = (number) => Math.floor(number + 0.5);
const percent = (share) => rounded(100 * share);

function describeReview(review) {
  const found = `${review.wrong} of ${review.marked} marked labels were wrong`;
  if (review.unmarked && review.marked < ENOUGH_MARKS) {
    return `${found}. How many remain is estimated from ${ENOUGH_MARKS} marks on.`;
  }
  const precision = `${found} (${percent(review.precision)}%; ${percent(review.low)}% to ${percent(review.high)}%).`;
  if (!review.unmarked) return `${precision} Every sample is marked.`;
  const left =
    `Of the ${review.unmarked} others, about ${rounded(review.remaining)} are expected to be wrong ` +
    `(${rounded(review.fewest)} to ${rounded(review.most)}).`;
  const rule = `no unmarked label is wrong with a probability of ${percent(WORTH_A_LOOK)}% or more.`;
  if (review.enough) return `${precision} ${left} You can stop: ${rule}`;
  const goOn = `Go on: the next one is wrong with a probability of ${percent(review.next)}%.`;
  return `${precision} ${left} ${goOn} You can stop when ${rule}`;
}

function showEstimate() {
  const review = estimateReview();
  byId("estimate").textContent = marks.size ? describeReview(review) : "";
  byId("estimate").classList.toggle("enough", marks.size > 0 && review.enough);
}
