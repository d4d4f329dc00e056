// Rounds in turn, and the median of what they gave: only ratios within one run count.
export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Runs both sides in turn and prints both medians and their ratio. @returns the ratio of the medians */
export async function compare(title, { rounds, ours, limit, unit, better }) {
  const [mine, theirs] = [[], []];
  for (let round = 0; round < rounds; round++) {
    theirs.push(await limit());
    mine.push(await ours());
  }
  const ratio = median(mine) / median(theirs);
  const show = (values) => `${format(median(values))} ${unit} (${values.map(format).join(', ')})`;
  console.log(`${title}\n  limit  ${show(theirs)}\n  ours   ${show(mine)}\n  ratio  ${ratio.toFixed(2)} (${better})`);
  return ratio;
}

const format = (value) => (value >= 100 ? Math.round(value).toString() : value.toFixed(2));
