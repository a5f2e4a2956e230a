/** A mistake of the domain, which knows of no transport. */
export class OutOfStock extends Error {
  constructor(readonly itemName: string) {
    super(`${itemName} is out of stock`);
  }
}
