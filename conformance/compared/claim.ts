/** What a page of ours says of somebody else's package, and how that is seen. */
export interface Claim {
  readonly says: string;
  /** What must be seen. */
  readonly expected: string;
  readonly see: () => Promise<string>;
}

/** The claims about one package. */
export interface Peer {
  readonly name: string;
  readonly claims: readonly Claim[];
}
