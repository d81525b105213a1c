// npm run soak: see soak.ts. Node loads the TypeScript of the test support by these hooks.
import { register } from 'node:module';

register('../support/jest/typescript-hooks.mjs', import.meta.url);

const { soak } = await import('./soak.ts');
const report = await soak(Number(process.env.PARLEY_SOAK_MINUTES ?? 30));
console.log(JSON.stringify(report, null, 2));
process.exit(report.failures === 0 && report.lost === 0 && report.verified ? 0 : 1);
