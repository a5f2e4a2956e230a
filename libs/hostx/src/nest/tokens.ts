/** Injection token of the options of HostxModule. */
export const HOSTX_OPTIONS = Symbol.for('apix.HostxOptions');
