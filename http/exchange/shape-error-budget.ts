// The number of shape errors that one reply may still list. The operations of a batch share one budget: listing errors
// costs more than checking, and a thousand invalid operations could otherwise list twenty each.
export class ShapeErrorBudget {
  constructor(private left: number) {}

  /** Errors that the next operation may list: at least one, so that every refusal has a reason. */
  get next(): number {
    return Math.max(1, this.left);
  }

  spend(count: number): void {
    this.left -= count;
  }
}
