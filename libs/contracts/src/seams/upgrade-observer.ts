/**
 * Marks a listener for a server's `upgrade` event that only observes. Node leaves the answer to the
 * listeners as soon as there is one, so code that answers requests that no other listener answers must know
 * which ones count.
 */
export const UPGRADE_OBSERVER = Symbol.for('apix.UpgradeObserver');
