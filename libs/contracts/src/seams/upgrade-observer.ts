/**
 * On a listener for a server's `upgrade` event that only looks on. Node hands a request over to
 * the listeners as soon as there is one, so that whoever answers what nobody else does has to
 * know who counts.
 */
export const UPGRADE_OBSERVER = Symbol.for('apix.UpgradeObserver');
