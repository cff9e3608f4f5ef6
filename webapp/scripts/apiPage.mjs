// Puts what the server's page of the API needs of Swagger UI into the build, under the names that the server knows.
import { copyFile, mkdir } from 'node:fs/promises';

const from = new URL('../node_modules/swagger-ui-dist/', import.meta.url);
const to = new URL('../dist/api-page/', import.meta.url);
await mkdir(to, { recursive: true });
await copyFile(new URL('swagger-ui-bundle.js', from), new URL('swagger-ui.js', to));
await copyFile(new URL('swagger-ui.css', from), new URL('swagger-ui.css', to));
