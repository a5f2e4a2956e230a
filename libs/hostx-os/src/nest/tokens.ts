/** The options of SystemdModule. */
export const SYSTEMD_OPTIONS = Symbol.for('apix.hostx-os.SystemdModuleOptions');

/** The options of SingleInstanceModule. */
export const SINGLE_INSTANCE_OPTIONS = Symbol.for('apix.hostx-os.SingleInstanceModuleOptions');
