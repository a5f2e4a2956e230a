/** Where things are, from the environment. */
export const settings = {
  redis: {
    host: process.env.REDIS_HOST ?? '127.0.0.1',
    port: Number(process.env.REDIS_PORT ?? 6379),
  },
  grpcPort: Number(process.env.GRPC_PORT ?? 5000),
  supplier: process.env.SUPPLIER ?? 'http://127.0.0.1:4000',
  reports: process.env.REPORTS === 'on',
};
