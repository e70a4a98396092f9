// Runs npm ci in a folder of this repository, unless the packages of its lockfile are installed.
import { join } from 'node:path';
import { installFolder, root } from './install.mjs';

installFolder(join(root, process.argv[2]));
