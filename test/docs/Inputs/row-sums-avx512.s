vmovdqa64   (%rbx), %zmm4              # 16 lanes
vmovaps     %zmm0, %zmm5               # what lanes without an edge give: -0
incq        %r15
addq        $64, %rbx
vpmovd2m    %zmm4, %k1                 # the valid bits
vpandd      %zmm1, %zmm4, %zmm4        # the neighbours
vgatherdps  (%rsi,%zmm4,4), %zmm5 {%k1}
vaddps      %zmm3, %zmm5, %zmm3
cmpq        %r14, %r15
jl          .LBB0_17
