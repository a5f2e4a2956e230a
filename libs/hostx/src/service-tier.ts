/**
 * Services of tier `transport` bring work into the process. They start after every service of
 * tier `service` and so stop before them.
 */
export type ServiceTier = 'service' | 'transport';
