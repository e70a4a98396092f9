// Installs a folder of this repository that has a lockfile of its own, when it is not as that says.
import { join } from 'node:path';
import { installFolder, root } from './install.mjs';

installFolder(join(root, process.argv[2]));
