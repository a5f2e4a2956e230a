// The client of @apix/grpc.
import { createClient } from '@apix/grpc-client/core';
import { apixCaller } from './apix-caller.ts';
import { calling } from './calling.ts';
import { SHOP } from './shop.ts';

calling(apixCaller(createClient(SHOP, { endpoint: process.env['TARGET'] ?? '' })));
