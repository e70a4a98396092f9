// node --env-file=.env exportProof.js REFERENCE prints the proof of ownership of a checkout as JSON.
import { createShop } from './shop.js';

const { exportProof } = await createShop(process.env);
const proof = await exportProof(process.argv[2]);
if (proof) console.log(JSON.stringify(proof, null, 2));
else {
  console.error('There is no checkout with this reference, or it was erased.');
  process.exitCode = 1;
}
