// Keeps the labels at the ends of lines apart.

interface Group {
  /** Sum of the places that its labels would like to have, less their offsets in the group. */
  sum: number;
  readonly labels: number[];
}

/**
 * Moves labels as little as possible, so that none covers another. Their order stays that of the lines.
 *
 * @param wanted middle of each label, in any order
 * @param height of a label
 * @param low least middle of a label
 * @param high greatest middle; labels that have no room between both begin at `low`
 * @returns the middle of each label, in the order of `wanted`
 */
export function spread(wanted: readonly number[], height: number, low: number, high: number): number[] {
  const order = wanted.map((_, index) => index).sort((one, other) => (wanted[one] ?? 0) - (wanted[other] ?? 0));
  const startOf = ({ sum, labels }: Group): number => {
    const latest = high - (labels.length - 1) * height;
    return Math.max(low, Math.min(latest, sum / labels.length));
  };
  const groups: Group[] = [];
  for (const label of order) {
    let group: Group = { sum: wanted[label] ?? 0, labels: [label] };
    // Labels that would touch become one group, which stands where its labels want to be on average.
    for (let before = groups.at(-1); before !== undefined; before = groups.at(-1)) {
      if (startOf(before) + before.labels.length * height <= startOf(group)) break;
      groups.pop();
      const shift = before.labels.length * height * group.labels.length;
      group = { sum: before.sum + group.sum - shift, labels: [...before.labels, ...group.labels] };
    }
    groups.push(group);
  }
  const places = Array.from({ length: wanted.length }, () => low);
  for (const group of groups) {
    group.labels.forEach((label, index) => {
      places[label] = startOf(group) + index * height;
    });
  }
  return places;
}
