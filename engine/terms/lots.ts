// What players trade: units of one shippable resource.

export interface Lot {
  /** Position in RESOURCES. */
  readonly resource: number;
  readonly units: number;
}
