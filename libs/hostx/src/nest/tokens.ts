/** The options of HostxModule. */
export const HOSTX_OPTIONS = Symbol.for('apix.hostx.HostxModuleOptions');

/** The options of ConfigurationModule. */
export const CONFIGURATION_OPTIONS = Symbol.for('apix.hostx.ConfigurationModuleOptions');

/** The options of HealthModule. */
export const HEALTH_OPTIONS = Symbol.for('apix.hostx.HealthModuleOptions');

/** Where HealthModule serves. */
export const HEALTH_PLACE = Symbol.for('apix.hostx.HealthPlace');
