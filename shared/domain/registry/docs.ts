import { documented } from '../../platform/contract/documented.ts';
import { npnLookup } from './npn-lookup.ts';

documented(npnLookup, {
  id: 'NpnLookup',
  description: 'What the registry reports for an NPN.',
  examples: [{ npn: '17654321', result: 'firm', name: 'Lone Star Brokerage' }],
  fields: {
    npn: ['The NPN that was looked up, as sent.', '17654321'],
    result: {
      description: 'What the registry has under the NPN.',
      values: {
        firm: 'An agency or another business.',
        individual: 'A person.',
        'not found': 'The registry does not recognize the NPN.',
      },
    },
    name: ['Name as spelled by the registry; null when the NPN is not found.', 'Lone Star Brokerage'],
  },
});
