import { productsNamedBy } from '#domain/decision/compliance-config.ts';

describe('products', () => {
  const liability = { productName: 'Liability', productCode: 'GL' };
  const cyber = { productName: 'Cyber' };
  const cyberPlus = { productName: 'Cyber', productCode: 'CY' };
  const cyberAgain = { productName: 'Cyber again', productCode: 'cy' };
  const named = productsNamedBy([liability, cyber, cyberPlus, cyberAgain]);

  it.each([
    ['by its code', { productCode: ' gl ' }, [liability]],
    ['by its code, whatever its name', { productCode: 'GL', productName: 'Cyber' }, [liability]],
    ['by its name', { productName: 'LIABILITY' }, [liability]],
    ['by its name, beside a code of no product', { productCode: 'X', productName: 'Liability' }, [liability]],
    ['by a name of several', { productName: 'Cyber' }, [cyber, cyberPlus]],
    ['by a code of several', { productCode: 'CY' }, [cyberPlus, cyberAgain]],
    [
      'by a code of several of which one has its name',
      { productCode: 'CY', productName: 'cyber' },
      [cyberPlus],
    ],
    ['by nothing', { productCode: ' ', productName: '' }, []],
    ['by what no product has', { productName: 'Boats' }, []],
  ])('a policy is of the products that are named %s', (_how, policy, expected) => {
    expect(named(policy)).toEqual(expected);
  });
});
