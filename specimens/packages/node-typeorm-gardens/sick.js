// Prints the rents of an allotment association: for each plot what its tenant has to pay.
'use strict';
const { DataSource, EntitySchema } = require('typeorm');

const Tenant = new EntitySchema({
  name: 'Tenant',
  columns: {
    id: { type: 'int', primary: true },
    name: { type: 'varchar' },
    member: { type: 'boolean' },
  },
  relations: {
    plots: { type: 'one-to-many', target: 'Plot', inverseSide: 'tenant', lazy: true },
  },
});

const Plot = new EntitySchema({
  name: 'Plot',
  columns: {
    id: { type: 'int', primary: true },
    metres: { type: 'int' },
    water: { type: 'boolean' },
  },
  relations: {
    tenant: { type: 'many-to-one', target: 'Tenant', inverseSide: 'plots', joinColumn: { name: 'tenantId' }, lazy: true },
  },
  indices: [{ columns: ['tenant'] }],
});

async function found(count) {
  const source = new DataSource({ type: 'sqljs', entities: [Tenant, Plot], synchronize: true });
  await source.initialize();
  const tenants = Math.ceil(count / 2);
  await source.query(`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${tenants - 1})
    INSERT INTO tenant (id, name, member) SELECT i, 'Tenant ' || i, i % 3 <> 0 FROM n`);
  await source.query(`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})
    INSERT INTO plot (id, metres, water, tenantId) SELECT i, 120 + i * 37 % 180, i % 4 = 0, i * 7 % ${tenants} FROM n`);
  return source;
}

function rent(plot, tenant) {
  const cents = plot.metres * 35 + (plot.water ? 1800 : 0);
  return tenant.member ? Math.round(cents * 0.9) : cents;
}

async function rents(source) {
  const plots = await source.getRepository(Plot).find();
  const list = [];
  for (const plot of plots) {
    list.push(rent(plot, await plot.tenant));
  }
  return list;
}

async function main(count) {
  const source = await found(count);
  const list = await rents(source);
  console.log(`${list.length} plots, rents ${list.reduce((sum, cents) => sum + cents, 0)}, highest ${Math.max(...list)}`);
  await source.destroy();
}

main(Number(process.argv[2]));
