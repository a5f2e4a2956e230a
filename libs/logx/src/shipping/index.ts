export { batchShipper } from './batch-shipper.js';
export { DocumentSinks } from './document-sinks.js';
export { registerShippingType } from './register-shipping-type.js';
export { ShippingSink } from './shipping-sink.js';
export type { BatchResult, BatchShipperOptions } from './batch-shipper.js';
export type { ShippingType } from './register-shipping-type.js';
export type { ShippingSinkOptions } from './shipping-options.js';
export type { DropReason, ShippingStats } from './shipping-stats.js';

export { passesBounds } from '../sinks/passes-bounds.js';
export { visitFields } from '../event/visit-fields.js';
export type { FieldVisitor } from '../event/visit-fields.js';
export { retryDelay } from './retry-delay.js';
export type { Shipper, ShippingContext, ShippingFigure } from './shipper.js';
export type { ShippingAccount } from './shipping-account.js';
export type { ShippingMetrics } from './shipping-readings.js';
