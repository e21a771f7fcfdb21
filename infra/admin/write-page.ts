// `npm run admin:page`: writes the commands into the operators' page.
import { readFileSync, writeFileSync } from 'node:fs';
import { withCommands } from './page.ts';

const page = 'functions/admin/README.md';
writeFileSync(page, withCommands(readFileSync(page, 'utf8')));
