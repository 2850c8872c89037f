// How many shape errors one reply may still show. The operations of a batch share one budget: making the errors costs more
// than checking, and a thousand broken operations would otherwise show twenty each.
export class ShapeErrorBudget {
  constructor(private left: number) {}

  /** How many the next one may show: at least one, so that whoever is refused learns why. */
  get next(): number {
    return Math.max(1, this.left);
  }

  spend(count: number): void {
    this.left -= count;
  }
}
