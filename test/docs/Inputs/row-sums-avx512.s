vmovdqa64   -2048(%r14), %zmm4         # 16 lanes
vmovaps     %zmm0, %zmm5               # what lanes without an edge give: -0
prefetcht0  (%r14)                     # what comes 32 edge vectors later
incq        %r12
addq        $64, %r14
vpmovd2m    %zmm4, %k1                 # the valid bits
vpandd      %zmm1, %zmm4, %zmm4        # the neighbours
vgatherdps  (%rsi,%zmm4,4), %zmm5 {%k1}
vaddps      %zmm3, %zmm5, %zmm3
cmpq        %r15, %r12
jl          .LBB0_17
