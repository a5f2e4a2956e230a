/** Injection token of the options of HostPageModule. */
export const HOST_PAGE_OPTIONS = Symbol.for('apix.HostPageOptions');
