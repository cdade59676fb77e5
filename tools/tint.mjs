// Checks WGSL files with Tint, the compiler of Chromium, which finds what naga lets pass: barriers and derivatives in
// control flow that is not uniform.
//
// usage: node tools/tint.mjs MODULES DIR
//   MODULES  folder that holds the npm package `webgpu` (made by tools/tint)
//   DIR      folder of .wgsl files

import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

// naga accepts this: half of the workgroup never arrives at the barrier.
const DIVERGENT = `
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lane: u32) {
    if lane < 32u {
        workgroupBarrier();
    }
}`;
const UNIFORM = DIVERGENT.replace('if lane < 32u', 'if true');

async function dawn(modules) {
    const index = join(resolve(modules), 'webgpu', 'index.js');
    const { create, globals } = await import(pathToFileURL(index).href);
    Object.assign(globalThis, globals);
    const gpu = create(['backend=null']);
    const adapter = await gpu.requestAdapter();
    if (!adapter) {
        throw new Error('Dawn offers no null adapter');
    }
    const device = await adapter.requestDevice();
    // Errors are read from each shader; the default listener would print them a second time.
    device.addEventListener('uncapturederror', (event) => event.preventDefault());
    // Answers come only while the caller holds on to `gpu`.
    return { gpu, device };
}

// The errors in a shader, as `line:column: message`.
async function errors({ device }, code) {
    const { messages } = await device.createShaderModule({ code }).getCompilationInfo();
    return messages
        .filter(({ type }) => type === 'error')
        .map(({ lineNum, linePos, message }) => `${lineNum}:${linePos}: ${message}`);
}

async function main([modules, folder]) {
    if (!modules || !folder) {
        console.error('usage: node tools/tint.mjs MODULES DIR');
        return 2;
    }
    const tint = await dawn(modules);
    if ((await errors(tint, DIVERGENT)).length === 0 || (await errors(tint, UNIFORM)).length > 0) {
        console.error('tint: the check itself fails: a divergent barrier must be refused, a uniform one accepted');
        return 1;
    }
    const files = readdirSync(folder).filter((name) => name.endsWith('.wgsl')).sort();
    let failed = 0;
    for (const file of files) {
        const path = join(folder, file);
        const found = await errors(tint, readFileSync(path, 'utf8'));
        found.forEach((message) => console.error(`${path}:${message}`));
        failed += found.length > 0;
    }
    if (files.length === 0) {
        console.error(`tint: no .wgsl file in ${folder}`);
        return 1;
    }
    console.log(`tint: ${files.length} shaders, ${failed} refused`);
    return failed > 0 ? 1 : 0;
}

// Seconds suffice; whoever waits here should not wait for ever.
setTimeout(() => {
    console.error('tint: no answer in two minutes');
    process.exit(1);
}, 120_000);
// Dawn's threads would keep Node alive.
process.exit(await main(process.argv.slice(2)));
